import type { ComponentProps, ReactNode } from 'react';
import { Dropdown } from './overlay/dropdown';

interface ChoiceMenuProps<Value extends string> {
  /** The accessible name: "Status". */
  label: string;
  choices: readonly {
    value: Value;
    label: string;
    content?: ReactNode /** What it means, in smaller text below. */;
    meaning?: string;
  }[];
  value: Value;
  /** Called if another value was chosen. */
  onChange: (value: Value) => void;
  placement?: ComponentProps<typeof Dropdown.Popover>['placement'];
  className?: string;
  /** The button that opens it. */
  children: ReactNode;
}

/** A button with a menu to choose one of a few values, with the current one checked. */
export function ChoiceMenu<Value extends string>(props: ChoiceMenuProps<Value>) {
  const { label, choices, value, onChange, placement = 'bottom start', className = 'w-72', children } = props;
  return (
    <Dropdown>
      {children}
      <Dropdown.Popover placement={placement} className={className}>
        <Dropdown.Menu
          aria-label={label}
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[value]}
          onSelectionChange={(keys) => {
            const [chosen] = [...keys];
            if (chosen !== undefined && chosen !== value) onChange(chosen as Value);
          }}
        >
          {choices.map((choice) => (
            <Dropdown.Item key={choice.value} id={choice.value} textValue={choice.label}>
              <Dropdown.ItemIndicator />
              {choice.meaning === undefined ? (
                <span className="min-w-0 truncate" title={choice.label}>
                  {choice.label}
                </span>
              ) : (
                <span className="flex min-w-0 flex-col">
                  {choice.content ?? <span>{choice.label}</span>}
                  <span className="text-xs text-muted">{choice.meaning}</span>
                </span>
              )}
            </Dropdown.Item>
          ))}
        </Dropdown.Menu>
      </Dropdown.Popover>
    </Dropdown>
  );
}
