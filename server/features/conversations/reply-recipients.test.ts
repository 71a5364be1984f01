import { describe, expect, test } from 'vitest';
import { type AnsweredMessage, replyToAll } from './reply-recipients';

const person = (name: string) => ({ email: `${name}@quark.example`, displayName: null });
const us = { email: 'Desk@Here.example', displayName: 'Desk' };
const isSelf = (email: string) => email.toLowerCase().endsWith('@here.example');
const none: AnsweredMessage = { direction: 'inbound', replyTo: [], to: [us], cc: [], from: person('ann') };

describe('a reply to all goes to', () => {
  test('the sender, and everybody else in copy', () => {
    const message = { ...none, to: [us, person('bob')], cc: [person('cem'), us] };
    expect(replyToAll(message, isSelf)).toEqual({ to: [person('ann')], cc: [person('bob'), person('cem')] });
  });

  test('whom Reply-To names instead of the sender', () => {
    const message = { ...none, replyTo: [person('office'), person('ann')], to: [us, person('bob')] };
    expect(replyToAll(message, isSelf)).toEqual({ to: [person('office'), person('ann')], cc: [person('bob')] });
  });

  test('nobody twice, whatever the case', () => {
    const message = {
      ...none,
      to: [person('ann'), us],
      cc: [{ email: 'ANN@quark.example', displayName: 'Ann' }, person('bob'), person('bob')],
    };
    expect(replyToAll(message, isSelf)).toEqual({ to: [person('ann')], cc: [person('bob')] });
  });

  test('the people of our own message again', () => {
    const message: AnsweredMessage = { ...none, direction: 'outbound', from: us, to: [person('ann')], cc: [person('bob')] };
    expect(replyToAll(message, isSelf)).toEqual({ to: [person('ann')], cc: [person('bob')] });
  });

  test('its recipients, where it came from ourselves', () => {
    expect(replyToAll({ ...none, from: us, to: [person('ann')] }, isSelf)).toEqual({ to: [person('ann')], cc: [] });
  });

  test('nobody, where nobody is named', () => {
    expect(replyToAll({ ...none, from: { email: '', displayName: null } }, isSelf)).toEqual({ to: [], cc: [] });
  });
});
