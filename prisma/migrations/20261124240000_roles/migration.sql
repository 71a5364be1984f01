-- Two roles beside the owner of the database, and row-level security (docs/adr/0022). Roles belong to the whole server, so that a start
-- makes them and gives them rights (server/platform/db/roles.ts); here is what both need.

-- The identity that the transaction works for; null where it works for none.
CREATE FUNCTION "current_identity"() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT nullif(current_setting('frontdesk.identity', true), '')::uuid
$$;

-- The audit log only grows: the server's role may read it, and these functions write to it with the rights of their owner.
ALTER FUNCTION "note_change"() SECURITY DEFINER SET search_path = public, pg_temp;

-- Removes entries for their age, at most so many at a time. Returns how many.
CREATE FUNCTION "remove_old_audit_entries"("log" regclass, "days" integer, "batch" integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  "removed" integer;
BEGIN
  IF "log" NOT IN ('audit_entries'::regclass, 'account_audit_entries'::regclass) OR "days" < 1 THEN
    RAISE EXCEPTION 'not an audit log, or too young';
  END IF;
  EXECUTE format('DELETE FROM %1$s WHERE (tableoid, ctid) IN (SELECT tableoid, ctid FROM %1$s WHERE "occurred_at" < $1 LIMIT $2)', "log")
    USING now() - make_interval(days => "days"), "batch";
  GET DIAGNOSTICS "removed" = ROW_COUNT;
  RETURN "removed";
END $$;

-- Removes entries of an identity that its owner has deleted, at most so many at a time. Returns how many.
CREATE FUNCTION "erase_audit_entries"("erased" uuid, "batch" integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  "removed" integer;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM "identities" WHERE "id" = "erased" AND "erased_at" IS NOT NULL) THEN RETURN 0; END IF;
  DELETE FROM "audit_entries" WHERE "identity_id" = "erased" AND ("tableoid", "ctid") IN (
    SELECT "tableoid", "ctid" FROM "audit_entries" WHERE "identity_id" = "erased" LIMIT "batch"
  );
  GET DIAGNOSTICS "removed" = ROW_COUNT;
  RETURN "removed";
END $$;

-- Partitions are made and dropped by their owner. None of the present can be dropped: that would remove entries of the log.
ALTER FUNCTION "add_partitions"(regclass, text, integer) SECURITY DEFINER SET search_path = public, pg_temp;
CREATE OR REPLACE FUNCTION "drop_partitions"("parent" regclass, "days" integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  "old" text;
  "dropped" integer := 0;
BEGIN
  IF "days" < 1 THEN RAISE EXCEPTION 'too young'; END IF;
  FOR "old" IN SELECT "name" FROM "partitions_of"("parent") WHERE "ends_at" < now() - make_interval(days => "days") LOOP
    EXECUTE format('DROP TABLE %I.%I', 'partitions', "old");
    "dropped" := "dropped" + 1;
  END LOOP;
  RETURN "dropped";
END $$;

-- A view reads with the rights of its reader.
ALTER VIEW "stored_bytes" SET (security_invoker = true);
