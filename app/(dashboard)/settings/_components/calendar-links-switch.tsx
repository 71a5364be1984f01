import { Switch } from '@/app/_kit/switch';

interface CalendarLinksSwitchProps {
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
}

/** In dialogs that end sessions: private calendar links need none, so they go on working unless they end, too. */
export function CalendarLinksSwitch({ isSelected, onChange }: CalendarLinksSwitchProps) {
  return (
    <div className="mt-3 flex items-start gap-3">
      <Switch label="Also disable my calendar links" isSelected={isSelected} onChange={onChange} />
      <p aria-hidden>
        <span className="block text-foreground">Also disable my calendar links</span>
        Otherwise, calendar apps with your private link keep showing new events. You can create a new link in Calendar.
      </p>
    </div>
  );
}
