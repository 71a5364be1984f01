'use client';

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

/** A button without a look. Inside of a `Dropdown` or `Popover` it opens what belongs to it. */
export function Pressable({ onPress, isDisabled = false, type = 'button', ref, ...props }: PressableProps) {
  const trigger = useTriggerProps();
  const onClick = (event: MouseEvent<HTMLButtonElement>) => {
    // Safari leaves the focus where it was; what opens and closes again has to give it back to the button. Clicks without a count
    // come from keys, and pressing Enter in a field of a form makes one.
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

/** HeroUI's button by its looks, and the browser's own by what it does: React Aria's weighs more than all pages have need of. */
export function Button({ variant, size, fullWidth, isIconOnly, className, ...props }: ButtonProps) {
  return <Pressable data-slot="button" {...props} className={buttonLook({ variant, size, fullWidth, isIconOnly, className })} />;
}
