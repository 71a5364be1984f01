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
      DATABASE_POOL_SIZE: 10,
      RATE_LIMIT_BURST_PER_SECOND: 0,
      AUDIT_RETENTION_DAYS: 365,
      SECURITY_LOG_RETENTION_DAYS: 90,
      SHUTDOWN_DRAIN_SECONDS: 0,
      TRUSTED_PROXIES: expect.anything(),
      OUTBOUND_ALLOWLIST: [],
      LOG_LEVEL: 'info',
    });
  });

  test('that are empty count as unset', () => {
    expect(parseEnv({ PORT: '', PUBLIC_URL: '', DATABASE_URL: '', AUTH_SECRET: '', LOG_LEVEL: '' })).toEqual(parseEnv({}));
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
    ['DATABASE_URL', 'mysql://localhost/desk'],
    ['DATABASE_URL', 'localhost:5432'],
    ['DATABASE_POOL_SIZE', '3'],
    ['AUTH_SECRET', 'too short'],
    ['RATE_LIMIT_BURST_PER_SECOND', 'many'],
    ['AUDIT_RETENTION_DAYS', 'some'],
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
