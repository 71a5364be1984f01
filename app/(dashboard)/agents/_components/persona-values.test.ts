import { describe, expect, test } from 'vitest';
import { fieldErrorsOf } from '@/server/platform/fields.schema';
import { personaSchema, toPersonaUpdate } from './persona-schema';
import type { PersonaValues } from './persona-values';

const values: PersonaValues = {
  name: 'Night desk',
  tags: ['night'],
  avatarUrl: '',
  persona: {
    tone: 'Warm',
    traits: ['calm'],
    bio: 'Looks after the night.',
    signature: 'Good night\nYour night desk',
    avatarUrl: '',
    avatarEmoji: ' 🌙 ',
  },
};

describe('the change of a persona', () => {
  test('holds only what was changed', () => {
    expect(toPersonaUpdate(values, new Set(['name', 'persona.tone']))).toEqual({
      name: 'Night desk',
      persona: { tone: 'Warm' },
    });
  });

  test('leaves the persona out where none of it was changed', () => {
    expect(toPersonaUpdate(values, new Set(['tags']))).toEqual({ tags: ['night'] });
  });

  test('removes what was emptied', () => {
    const emptied = { ...values, persona: { ...values.persona, tone: '  ', traits: [], signature: '' } };
    expect(toPersonaUpdate(emptied, new Set(['persona.tone', 'persona.traits', 'persona.signature']))).toEqual({
      persona: { tone: null, traits: null, signature: null },
    });
  });

  test('keeps the line breaks of a signature and trims an emoji', () => {
    expect(toPersonaUpdate(values, new Set(['persona.signature', 'persona.avatarEmoji']))).toEqual({
      persona: { signature: 'Good night\nYour night desk', avatarEmoji: '🌙' },
    });
  });
});

test('what is wrong is said at the path of its field', () => {
  const wrong = { ...values, name: ' ', persona: { ...values.persona, avatarUrl: 'picture.png' } };
  const { error } = personaSchema.safeParse(wrong);
  expect(Object.keys(error ? fieldErrorsOf(error) : {})).toEqual(['name', 'persona.avatarUrl']);
});
