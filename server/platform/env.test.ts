import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigurationError, parseEnv } from './env';

function problem(source: Record<string, string>): string {
  try {
    parseEnv(source);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    return (error as Error).message;
  }
  throw new Error('It was accepted.');
}

describe('settings', () => {
  test('are all optional', () => {
    expect(parseEnv({})).toEqual({
      NODE_ENV: 'production',
      PORT: 3000,
      HOST: '0.0.0.0',
      DATA_DIR: path.resolve('.data'),
      DATABASE_POOL_SIZE: 11,
      RATE_LIMIT_BURST_PER_SECOND: 0,
      AUDIT_RETENTION_DAYS: 365,
      SECURITY_LOG_RETENTION_DAYS: 90,
      USAGE_RETENTION_DAYS: 400,
      OUTBOX_RETENTION_DAYS: 90,
      QUARANTINE_RETENTION_DAYS: 90,
      MERGED_CONVERSATION_RETENTION_DAYS: 365,
      EVENT_RETENTION_DAYS: 30,
      SHUTDOWN_DRAIN_SECONDS: 0,
      TRUSTED_PROXIES: expect.anything(),
      OUTBOUND_ALLOWLIST: [],
      OIDC_ALLOWED_DOMAINS: [],
      OIDC_AUTO_JOIN: null,
      PASSWORD_SIGN_IN: 'on',
      LOG_LEVEL: 'info',
    });
  });

  test('that are empty count as unset', () => {
    expect(parseEnv({ PORT: '', PUBLIC_URL: '', DATABASE_URL: '', AUTH_SECRET: '', LOG_LEVEL: '' })).toEqual(parseEnv({}));
  });

  test('name a bucket, with its key', () => {
    const read = (url: string) => parseEnv({ FILES_URL: url }).FILES_URL;
    expect(read('s3://AKIA:a%2Fb+c%3D@s3.example.com/desk.files/a//b?region=eu-central-1')).toEqual({
      ...{ endpoint: 'https://s3.example.com', bucket: 'desk.files', prefix: 'a/b/', region: 'eu-central-1' },
      ...{ accessKeyId: 'AKIA', secretAccessKey: 'a/b+c=' },
    });
    expect(read('s3://k:s@[::1]:9000/desk?tls=off')).toMatchObject({
      ...{ endpoint: 'http://[::1]:9000', bucket: 'desk', prefix: '', region: 'us-east-1' },
    });
    expect(problem({ FILES_URL: 's3://key:hidden@s3.example.com' })).not.toContain('hidden');
  });

  test('of others are none of ours', () => {
    expect(parseEnv({ PATH: '/bin', npm_config_x: '1' })).toEqual(parseEnv({}));
  });

  test('are read as what they are', () => {
    const given = {
      PORT: '0',
      PUBLIC_URL: 'https://desk.example.com//',
      DATA_DIR: 'a folder/with spaces',
      DATABASE_URL: 'postgresql://u:p%40ss@db:5433/desk?sslmode=require',
      AUTH_SECRET: 's'.repeat(32),
      RATE_LIMIT_BURST_PER_SECOND: '20',
      AUDIT_RETENTION_DAYS: '30',
      REDIS_URL: 'rediss://cache:6380/1',
      SMTP_URL: 'smtps://user:p%40ss@mail.example.com',
      MAIL_FROM: 'Front desk <Desk@Example.com>',
      INBOUND_SMTP_PORT: '2525',
      INBOUND_SECRET: 'sixteen-letters!',
    };
    expect(parseEnv(given)).toMatchObject({
      ...given,
      PORT: 0,
      PUBLIC_URL: 'https://desk.example.com',
      DATA_DIR: path.resolve('a folder/with spaces'),
      RATE_LIMIT_BURST_PER_SECOND: 20,
      AUDIT_RETENTION_DAYS: 30,
      MAIL_FROM: { email: 'desk@example.com', displayName: 'Front desk' },
      INBOUND_SMTP_PORT: 2525,
    });
    expect(parseEnv({ MAIL_FROM: 'desk@example.com' }).MAIL_FROM).toEqual({ email: 'desk@example.com', displayName: null });
  });

  test('name hosts, addresses and ranges in the form they are compared in', () => {
    const OUTBOUND_ALLOWLIST =
      'Images.Internal, bücher.example:8080,10.1.2.3/16,127.1, 192.168.0.5:9000,::1,[FD00::0001]:81,fd00::/8';
    expect(parseEnv({ OUTBOUND_ALLOWLIST }).OUTBOUND_ALLOWLIST).toEqual([
      { host: 'images.internal', port: null },
      { host: 'xn--bcher-kva.example', port: 8080 },
      { address: '10.1.2.3', bits: 16, port: null },
      { address: '127.0.0.1', bits: 32, port: null },
      { address: '192.168.0.5', bits: 32, port: 9000 },
      { address: '::1', bits: 128, port: null },
      { address: 'fd00::1', bits: 128, port: 81 },
      { address: 'fd00::', bits: 8, port: null },
    ]);
  });
});

describe('a bad setting is named in one line', () => {
  test.each([
    ['PORT', 'http'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '3000.5'],
    ['PORT', '0x10'],
    ['PORT', ' 3000'],
    ['PUBLIC_URL', 'desk.example.com'],
    ['PUBLIC_URL', 'ftp://desk.example.com'],
    ['PUBLIC_URL', 'javascript:alert(1)'],
    ['PUBLIC_URL', 'https://example.com/desk'],
    ['PUBLIC_URL', 'https://example.com/desk/'],
    ['PUBLIC_URL', 'https://example.com?desk'],
    ['PUBLIC_URL', 'https://example.com/#desk'],
    ['PUBLIC_URL', 'https://ann:secret@example.com'],
    ['FILES_URL', 'https://key:secret@s3.example.com/desk'],
    ['FILES_URL', 's3://s3.example.com/desk'],
    ['FILES_URL', 's3://key@s3.example.com/desk'],
    ['FILES_URL', 's3://key:secret@s3.example.com'],
    ['FILES_URL', 's3://key:secret@s3.example.com/Desk'],
    ['FILES_URL', 's3://key:secret@s3.example.com/desk/a b'],
    ['FILES_URL', 's3://key:sec/ret@s3.example.com/desk'],
    ['FILES_URL', 's3://key:secret%zz@s3.example.com/desk'],
    ['FILES_URL', 's3://key:secret@s3.example.com/desk?tls=no'],
    ['FILES_URL', 's3://key:secret@s3.example.com/desk?regoin=x'],
    ['FILES_URL', 's3://key:secret@/desk'],
    ['DATABASE_URL', 'mysql://localhost/desk'],
    ['DATABASE_URL', 'localhost:5432'],
    ['DATABASE_POOL_SIZE', '4'],
    ['AUTH_SECRET', 'too short'],
    ['RATE_LIMIT_BURST_PER_SECOND', 'many'],
    ['AUDIT_RETENTION_DAYS', 'some'],
    ['USAGE_RETENTION_DAYS', '-1'],
    ['OUTBOX_RETENTION_DAYS', '90.5'],
    ['QUARANTINE_RETENTION_DAYS', '36501'],
    ['MERGED_CONVERSATION_RETENTION_DAYS', 'never'],
    ['INBOUND_SECRET', 'fifteen-letters'],
    ['TRUSTED_PROXIES', 'proxy.internal'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['REDIS_URL', 'http://cache'],
    ['PLAN_LIMITS', '{free}'],
    ['PLAN_LIMITS', '[]'],
    ['PLAN_LIMITS', '{"gold": {}}'],
    ['PLAN_LIMITS', '{"free": {"tokens": "many"}}'],
    ['PLAN_LIMITS', '{"free": {"tokens": -2}}'],
    ['PLAN_LIMITS', '{"free": {"requests": 5}}'],
    ['DNS_SERVERS', 'dns.example.com'],
    ['DNS_SERVERS', '10.0.0.53:0'],
    ['DNS_SERVERS', '10.0.0.53,'],
    ['SMTP_URL', 'mail.example.com:25'],
    ['SMTP_URL', 'http://mail.example.com'],
    ['SMTP_URL', 'smtp://mail.example.com?tls=maybe'],
    ['MAIL_FROM', 'desk'],
    ['MAIL_FROM', 'a@b.example, c@d.example'],
    ['INBOUND_SMTP_PORT', 'smtp'],
    ['OUTBOUND_ALLOWLIST', 'images.internal,'],
    ['OUTBOUND_ALLOWLIST', 'http://images.internal'],
    ['OUTBOUND_ALLOWLIST', 'images.internal/pictures'],
    ['OUTBOUND_ALLOWLIST', '*.internal'],
    ['OUTBOUND_ALLOWLIST', 'images.internal:0'],
    ['OUTBOUND_ALLOWLIST', 'images.internal:65536'],
    ['OUTBOUND_ALLOWLIST', '10.1.0.0/33'],
    ['OUTBOUND_ALLOWLIST', '10.1/16'],
    ['OUTBOUND_ALLOWLIST', '10.1.0.0/16:80'],
    ['OUTBOUND_ALLOWLIST', 'user@images.internal'],
    ['OIDC_ISSUER', 'id.example.com'],
    ['OIDC_ISSUER', 'http://id.example.com'],
    ['OIDC_ISSUER', 'http://127.0.0.1.evil.example'],
    ['OIDC_ISSUER', 'https://ann:secret@id.example.com'],
    ['OIDC_ISSUER', 'https://id.example.com?tenant=1'],
    ['OIDC_ALLOWED_DOMAINS', 'example.com,'],
    ['OIDC_ALLOWED_DOMAINS', 'ann@example.com'],
    ['OIDC_ALLOWED_DOMAINS', '*.example.com'],
    ['OIDC_AUTO_JOIN', 'on:owner'],
    ['OIDC_AUTO_JOIN', 'Quark Labs'],
    ['OIDC_AUTO_JOIN', 'quark:member:admin'],
    ['PASSWORD_SIGN_IN', 'no'],
    ['LOG_LEVEL', 'loud'],
    ['NODE_ENV', 'staging'],
  ])('%s=%s', (name, value) => {
    const message = problem({ [name]: value });
    expect(message).toMatch(new RegExp(`^Configuration: ${name} must |^Configuration: ${name} Invalid`));
    expect(message).not.toContain('\n');
  });

  test('that needs another one to mean anything', () => {
    expect(problem({ INBOUND_TLS_CERT: 'cert.pem' })).toContain('INBOUND_TLS_CERT and INBOUND_TLS_KEY must be set together');
  });

  test('of single sign-on, with what it misses', () => {
    const oidc = { OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'desk', OIDC_CLIENT_SECRET: 'hidden' };
    expect(problem({ OIDC_ISSUER: oidc.OIDC_ISSUER })).toContain(
      'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set',
    );
    expect(problem({ OIDC_CLIENT_SECRET: 'hidden' })).not.toContain('hidden');
    expect(problem({ OIDC_ALLOWED_DOMAINS: 'example.com' })).toContain('need an OIDC_ISSUER');
    expect(problem({ ...oidc, OIDC_AUTO_JOIN: 'quark' })).toContain('OIDC_AUTO_JOIN needs OIDC_ALLOWED_DOMAINS');
    expect(problem({ PASSWORD_SIGN_IN: 'off' })).toContain('PASSWORD_SIGN_IN=off needs another way to sign in');
    const joining = { ...oidc, OIDC_ALLOWED_DOMAINS: 'Example.com, example.org', PASSWORD_SIGN_IN: 'off' };
    expect(parseEnv({ ...joining, OIDC_AUTO_JOIN: 'quark' })).toMatchObject({
      OIDC_ALLOWED_DOMAINS: ['example.com', 'example.org'],
      OIDC_AUTO_JOIN: { handle: 'quark', role: 'member' },
    });
    expect(parseEnv({ ...joining, OIDC_AUTO_JOIN: 'quark:viewer' }).OIDC_AUTO_JOIN).toEqual({ handle: 'quark', role: 'viewer' });
    expect(parseEnv({ ...oidc, OIDC_AUTO_JOIN: 'off' }).OIDC_AUTO_JOIN).toBeNull();
    expect(parseEnv({ ...oidc, OIDC_ISSUER: 'http://[::1]:8080/realms/a' }).OIDC_ISSUER).toBe('http://[::1]:8080/realms/a');
  });

  test('together with all the others', () => {
    const message = problem({ PORT: 'x', AUTH_SECRET: 'x', LOG_LEVEL: 'x', HOST: 'localhost' });
    for (const name of ['PORT', 'AUTH_SECRET', 'LOG_LEVEL']) expect(message).toContain(name);
    expect(message).not.toContain('HOST');
    expect(message).not.toContain('\n');
  });

  test('without giving a secret away', () => {
    expect(problem({ AUTH_SECRET: 'hunter2', DATABASE_URL: 'mysql://root:hunter2@db/desk' })).not.toContain('hunter2');
  });
});
