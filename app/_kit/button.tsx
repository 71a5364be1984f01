import type { ComponentPropsWithRef, MouseEvent, Ref } from 'react';
import { type ButtonLook, buttonLook } from './button-look';
import { useTriggerProps } from './overlay/trigger';

type NativeProps = Omit<ComponentPropsWithRef<'button'>, 'onClick' | 'disabled'>;

export interface PressableProps extends NativeProps {
  onPress?: (() => void) | undefined;
  isDisabled?: boolean | undefined;
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
export function Pressable({ onPress, isDisabled = false, type = 'button', ref, ...props }: PressableProps) {
  const trigger = useTriggerProps();
  const onClick = (event: MouseEvent<HTMLButtonElement>) => {
    // Safari does not focus a clicked button, but overlays return the focus to it. A click count of 0 comes from the keyboard,
    // including Enter in a form field.
    if (event.detail > 0) event.currentTarget.focus({ preventScroll: true });
    trigger?.onClick(event);
    onPress?.();
  };
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
