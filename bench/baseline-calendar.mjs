/** The hand-written server's calendar, which knows no series: one statement for each read. */

const text = { type: 'string' };
const nullable = { type: 'object', nullable: true, properties: { id: text, name: text, avatarUrl: text } };

const conflict = { type: 'object', properties: { id: text, title: text, startTime: text, endTime: text } };
const event = {
  type: 'object',
  properties: {
    ...Object.fromEntries(
      ['id', 'title', 'startTime', 'endTime', 'timezone', 'color', 'status', 'recurrence', 'location'].map((key) => [key, text]),
    ),
    allDay: { type: 'boolean' },
    agent: nullable,
    invitees: { type: 'array', items: {} },
    inviteeCount: { type: 'integer' },
  },
};

function getAvailability(pool) {
  return async ({ identityId, query }) => {
    const { rows } = await pool.query({
      name: 'availability',
      text: `SELECT id, title, start_at, end_at FROM calendar_events
        WHERE identity_id = $1 AND status <> 'cancelled' AND recurrence = 'none'
          AND tstzrange(begins_at, over_at) && tstzrange($2, $3)
        ORDER BY start_at`,
      values: [identityId, query.startTime, query.endTime],
    });
    const conflicts = rows.map(({ id, title, start_at: start, end_at: end }) => ({
      id,
      title,
      startTime: start.toISOString(),
      endTime: end.toISOString(),
    }));
    return { available: conflicts.length === 0, conflicts };
  };
}

function listEvents(pool) {
  return async ({ identityId, query }) => {
    const { rows } = await pool.query({
      name: 'events',
      text: `SELECT e.*, a.id AS agent, a.name AS agent_name, a.avatar_url,
          (SELECT count(*)::int FROM calendar_invitees v WHERE v.event_id = e.id) AS invitees
        FROM calendar_events e LEFT JOIN agents a ON a.id = e.agent_id
        WHERE e.identity_id = $1 AND e.recurrence = 'none' AND tstzrange(e.begins_at, e.over_at) && tstzrange($2, $3)
        ORDER BY e.start_at, e.id LIMIT 500`,
      values: [identityId, query.startDate, query.endDate],
    });
    const events = rows.map((row) => ({
      id: row.id,
      title: row.title,
      startTime: row.start_at.toISOString(),
      endTime: row.end_at.toISOString(),
      timezone: row.timezone,
      allDay: row.all_day,
      color: row.color,
      status: row.status,
      recurrence: row.recurrence,
      location: row.location,
      agent: row.agent && { id: row.agent, name: row.agent_name, avatarUrl: row.avatar_url },
      invitees: [],
      inviteeCount: row.invitees,
    }));
    return { events, count: events.length };
  };
}

export function addCalendar(app, pool, authenticate) {
  app.get('/api/v1/calendar/availability', {
    onRequest: authenticate,
    schema: {
      querystring: { type: 'object', required: ['startTime', 'endTime'], properties: { startTime: text, endTime: text } },
      response: {
        200: { type: 'object', properties: { available: { type: 'boolean' }, conflicts: { type: 'array', items: conflict } } },
      },
    },
    handler: getAvailability(pool),
  });
  app.get('/api/v1/calendar/events', {
    onRequest: authenticate,
    schema: {
      querystring: { type: 'object', required: ['startDate', 'endDate'], properties: { startDate: text, endDate: text } },
      response: { 200: { type: 'object', properties: { events: { type: 'array', items: event }, count: { type: 'integer' } } } },
    },
    handler: listEvents(pool),
  });
}
