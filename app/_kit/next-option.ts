/** The option above (-1) or below (1) the active one of a list; past either end none (-1), then the other end. */
export const nextOption = (active: number, step: number, count: number): number =>
  ((active + 1 + step + count + 1) % (count + 1)) - 1;
