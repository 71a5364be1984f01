import { type RefObject, useEffect } from 'react';

/** Pixels between a field and the bar below it. */
const gap = 12;

/** The field that has the focus, with its label, hint and error; or a larger part that says so with `data-field`. */
function focusedField(form: HTMLElement): HTMLElement | null {
  const { activeElement } = document;
  if (!(activeElement instanceof HTMLElement) || !form.contains(activeElement)) return null;
  return (
    activeElement.closest<HTMLElement>('[data-field]') ??
    activeElement.closest<HTMLElement>('[data-slot="textfield"]') ??
    activeElement
  );
}

/**
 * Scrolls the window so that a bar at its foot does not cover the field of the form around it that has the focus, or what appears
 * below that field while something is typed. Its top stays in view.
 */
export function useUncoveredField(bar: RefObject<HTMLElement | null>, isShown: boolean): void {
  useEffect(() => {
    const form = bar.current?.closest('form');
    if (!isShown || !form) return;
    let frame = 0;
    const uncover = () => {
      const field = focusedField(form);
      if (!field || !bar.current || bar.current.contains(field)) return;
      const { top, bottom } = field.getBoundingClientRect();
      const covered = bottom + gap - bar.current.getBoundingClientRect().top;
      if (covered > 0) window.scrollBy({ top: Math.min(covered, Math.max(0, top - gap)) });
    };
    const later = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(uncover);
    };
    const grown = new ResizeObserver(later);
    if (bar.current) grown.observe(bar.current);
    form.addEventListener('focusin', later);
    form.addEventListener('input', later);
    later();
    return () => {
      cancelAnimationFrame(frame);
      grown.disconnect();
      form.removeEventListener('focusin', later);
      form.removeEventListener('input', later);
    };
  }, [bar, isShown]);
}
