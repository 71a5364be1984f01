import type { ComponentPropsWithRef, MouseEvent, Ref } from 'react';
import type { Permission } from '@/server/platform/auth/scopes.schema';
import { type ButtonLook, buttonLook } from './button-look';
import { useTriggerProps } from './overlay/trigger';
import { deny, usePermission } from './use-permission';

type NativeProps = Omit<ComponentPropsWithRef<'button'>, 'onClick' | 'disabled'>;

export interface PressableProps extends NativeProps {
  onPress?: (() => void) | undefined;
  isDisabled?: boolean | undefined;
  /** What the member's role has to include. Without it the button does nothing, and says who can. */
  needs?: Permission | undefined;
}

export interface ButtonProps extends PressableProps, Omit<ButtonLook, 'className'> {}

function mergeRefs<Element>(...refs: readonly (Ref<Element> | undefined)[]): Ref<Element> {
  return (element) => {
    for (const ref of refs) {
      if (typeof ref === 'function') ref(element);
      else if (ref) ref.current = element;
    }
  };
}

/** An unstyled button. Inside a `Dropdown` or `Popover` it is the trigger. */
export function Pressable({ onPress, isDisabled = false, needs, type = 'button', ref, ...props }: PressableProps) {
  const trigger = useTriggerProps();
  const { isAllowed, reason } = usePermission(needs);
  const onClick = (event: MouseEvent<HTMLButtonElement>) => {
    // Safari does not focus a clicked button, but overlays return the focus to it. A click count of 0 comes from the keyboard,
    // including Enter in a form field.
    if (event.detail > 0) event.currentTarget.focus({ preventScroll: true });
    trigger?.onClick(event);
    onPress?.();
  };
  if (!isAllowed) {
    // Not `disabled`: the reason has to be reachable by hover, keyboard and touch.
    return <button {...props} ref={ref} type="button" aria-disabled data-denied title={reason} onClick={() => deny(reason)} />;
  }
  return (
    <button
      type={type}
      disabled={isDisabled}
      {...trigger?.props}
      {...props}
      ref={trigger ? mergeRefs(trigger.ref, ref) : ref}
      onClick={onClick}
    />
  );
}

/** HeroUI's styles on a native button: React Aria's is larger than most pages need. */
export function Button({ variant, size, fullWidth, isIconOnly, className, ...props }: ButtonProps) {
  return <Pressable data-slot="button" {...props} className={buttonLook({ variant, size, fullWidth, isIconOnly, className })} />;
}
