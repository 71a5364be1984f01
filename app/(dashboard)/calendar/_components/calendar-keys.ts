/** What a single key does in the calendar. */
export const calendarCommands = ['new', 'today', 'next', 'previous', 'month', 'week', 'day', 'agenda', 'help'] as const;

export type CalendarCommand = (typeof calendarCommands)[number];

interface Keys {
  keys: readonly string[];
  /** As they stand on the keyboard. */
  name: string;
  meaning: string;
}

export const calendarKeys: Record<CalendarCommand, Keys> = {
  new: { keys: ['n', 'c'], name: 'N', meaning: 'New event' },
  today: { keys: ['t'], name: 'T', meaning: 'Today' },
  next: { keys: ['j', 'ArrowRight'], name: 'J', meaning: 'Later' },
  previous: { keys: ['k', 'ArrowLeft'], name: 'K', meaning: 'Earlier' },
  month: { keys: ['m'], name: 'M', meaning: 'Month' },
  week: { keys: ['w'], name: 'W', meaning: 'Week' },
  day: { keys: ['d'], name: 'D', meaning: 'Day' },
  agenda: { keys: ['a'], name: 'A', meaning: 'Agenda' },
  help: { keys: ['?'], name: '?', meaning: 'Show these keys' },
};

type PressedKey = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'repeat'>;

/** The command of a key; undefined for a key that has none. Only going through time makes sense while a key is held down. */
export function commandOf({ key, ctrlKey, metaKey, altKey, repeat }: PressedKey): CalendarCommand | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  const command = calendarCommands.find((candidate) => calendarKeys[candidate].keys.includes(key));
  return repeat && command !== 'next' && command !== 'previous' ? undefined : command;
}
