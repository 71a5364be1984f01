import { describe, expect, test } from 'vitest';
import { blankAgent, domainOf, newAgentSchema, toNewAgent } from './new-agent';

describe('a new agent', () => {
  const filled = { ...blankAgent, name: 'Night desk', roleId: 'night-desk' };

  test('takes a kind that is offered, whatever stands in the hidden field', () => {
    const values = { ...filled, ownKind: 'Not a kind' };
    expect(newAgentSchema.safeParse(values).success).toBe(true);
    expect(toNewAgent(values)).toEqual({ name: 'Night desk', roleId: 'night-desk', kind: 'assistant' });
  });

  test('says at its field what is wrong with a kind of its own', () => {
    const result = newAgentSchema.safeParse({ ...filled, kind: 'own', ownKind: 'Night Desk' });
    expect(result.error?.issues[0]?.path).toEqual(['ownKind']);
    expect(toNewAgent({ ...filled, kind: 'own', ownKind: 'night-desk' }).kind).toBe('night-desk');
  });
});

test('the domain is what follows the last @', () => {
  expect(domainOf('inbox@harborlane.example')).toBe('harborlane.example');
  expect(domainOf(undefined)).toBeNull();
});
