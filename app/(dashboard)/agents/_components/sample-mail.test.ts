import { describe, expect, test } from 'vitest';
import { registerOf, type SamplePersona, sampleMail } from './sample-mail';

const persona: SamplePersona = {
  name: ' Night desk ',
  email: 'night-desk@quark.example',
  tone: '',
  traits: [],
  signature: 'Good night\n\n  Your night desk\n',
};

describe('how a tone sounds', () => {
  test.each([
    ['Formal and courteous', [], 'formal'],
    ['Warm, never pushy', [], 'warm'],
    ['Informal', [], 'warm'],
    ['', ['cheerful'], 'warm'],
    ['Polite', ['welcoming'], 'formal'],
    ['Friendly and professional', [], 'plain'],
    ['', [], 'plain'],
  ] as const)('%j with %j is %s', (tone, traits, register) => {
    expect(registerOf(tone, traits).register).toBe(register);
  });

  test('brief is brief whatever else it is', () => {
    expect(registerOf('Friendly and to the point', [])).toEqual({ register: 'warm', isBrief: true });
  });
});

describe('the sample mail', () => {
  test('comes from the persona and keeps the lines of its signature', () => {
    const { from, signature } = sampleMail(persona);
    expect(from).toEqual({ name: 'Night desk', address: 'night-desk@quark.example' });
    expect(signature).toBe('Good night\n\n  Your night desk');
  });

  test('greets as the tone would', () => {
    expect(sampleMail({ ...persona, tone: 'Formal' }).body[0]).toBe('Dear Ms Hill,');
    expect(sampleMail({ ...persona, tone: 'Friendly' }).body[0]).toBe('Hi Ann,');
  });

  test('says less where the persona is brief', () => {
    const length = (tone: string) => sampleMail({ ...persona, tone }).body.join(' ').length;
    expect(length('Brief')).toBeLessThan(length(''));
  });
});
