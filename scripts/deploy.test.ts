import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { drainMaximum, parseEnv, stopLimit } from '../server/platform/env';

/** Tests the guarantees of deploy/ to an operator. */

const read = (name: string) => readFileSync(new URL(`../deploy/${name}`, import.meta.url), 'utf8');

describe('the systemd unit', () => {
  const unit = read('frontdesk.service');
  const valuesOf = (name: string) => [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value);

  test('lets the service write to its data and nowhere else, least of all to its own code', () => {
    expect(valuesOf('ProtectSystem')).toEqual(['strict']);
    expect(valuesOf('ReadWritePaths')).toEqual(['/var/lib/frontdesk']);
    expect(valuesOf('WorkingDirectory')).toEqual(['/opt/frontdesk']);
    expect(valuesOf('UMask')).toEqual(['0077']);
  });

  test('takes away namespaces, system calls and privileges that it does not need', () => {
    expect(valuesOf('RestrictNamespaces')).toEqual(['yes']);
    expect(valuesOf('SystemCallFilter')).toEqual(['@system-service', '~@privileged @resources @obsolete']);
    expect(valuesOf('NoNewPrivileges')).toEqual(['yes']);
    expect(valuesOf('CapabilityBoundingSet')).toEqual(['CAP_NET_BIND_SERVICE']);
  });

  test('waits for the longest stop there can be', () => {
    const [longest] = valuesOf('TimeoutStopSec').map((value) => Number(/^(\d+)s$/.exec(value ?? '')?.[1]));
    expect(longest).toBeGreaterThan(drainMaximum + stopLimit / 1000);
    const drain = (seconds: number) => parseEnv({ SHUTDOWN_DRAIN_SECONDS: String(seconds) }).SHUTDOWN_DRAIN_SECONDS;
    expect(drain(drainMaximum)).toBe(drainMaximum);
    expect(() => drain(drainMaximum + 1)).toThrow('SHUTDOWN_DRAIN_SECONDS');
  });

  const analyze = (...args: string[]) =>
    execFileSync('systemd-analyze', [...args, 'deploy/frontdesk.service'], { encoding: 'utf8' });
  const hasSystemd = (() => {
    try {
      return Number(/systemd (\d+)/.exec(execFileSync('systemd-analyze', ['--version'], { encoding: 'utf8' }))?.[1]) >= 252;
    } catch {
      return false;
    }
  })();

  test.skipIf(!hasSystemd)('is exposed to at most 2.0 of 10 (needs systemd 252)', () => {
    const [, exposure] = /exposure level for frontdesk\.service: ([\d.]+)/.exec(analyze('security', '--offline=true')) ?? [];
    expect(Number(exposure)).toBeLessThanOrEqual(2);
  });
});

test('the container image runs as a user that does not own the code, and takes no mail unless asked to', () => {
  const file = read('Containerfile');
  const image = file.slice(file.lastIndexOf('FROM '));
  expect(image).toMatch(/^COPY --from=build \/app \/app$/m);
  expect(image).toMatch(/^USER node$/m);
  expect(image).not.toMatch(/INBOUND_SMTP_PORT|2525/);
  expect(file).toContain('npm prune --omit=dev');
});
