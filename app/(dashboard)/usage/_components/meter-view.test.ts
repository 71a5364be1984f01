import { expect, test } from 'vitest';
import { toMeterView } from './meter-view';

test('within the plan the bar is as long as the plan', () => {
  expect(toMeterView(50, 200, 100)).toEqual({ state: 'within', used: 25, projected: 50, end: 100 });
});

test('a projection beyond the plan stretches the bar', () => {
  expect(toMeterView(50, 100, 200)).toEqual({ state: 'heading-over', used: 25, projected: 100, end: 50 });
});

test('what is used beyond the plan counts as over it', () => {
  expect(toMeterView(200, 100, 400)).toEqual({ state: 'over', used: 50, projected: 100, end: 25 });
});

test('exactly the plan is still within it', () => {
  expect(toMeterView(100, 100, 100).state).toBe('within');
});

test('without a limit nothing marks an end', () => {
  expect(toMeterView(40, -1, 80)).toEqual({ state: 'unlimited', used: 40, projected: 80, end: null });
  expect(toMeterView(0, -1, 0)).toEqual({ state: 'unlimited', used: 0, projected: 0, end: null });
});

test('a plan that includes nothing is over with the first use', () => {
  expect(toMeterView(0, 0, 0)).toEqual({ state: 'within', used: 0, projected: 0, end: 100 });
  expect(toMeterView(1, 0, 2)).toEqual({ state: 'over', used: 50, projected: 100, end: 0 });
});

test('a projection is never less than what is used', () => {
  expect(toMeterView(30, 100, 20).projected).toBe(30);
});
