export interface ButtonLook {
  variant?: 'primary' | 'secondary' | 'tertiary' | 'outline' | 'ghost' | 'danger' | 'danger-soft' | undefined;
  size?: 'sm' | 'md' | 'lg' | undefined;
  fullWidth?: boolean | undefined;
  isIconOnly?: boolean | undefined;
  className?: string | undefined;
}

/** The classes of HeroUI's button (see its button.css); its own function for them is larger than the button itself. */
export function buttonLook({ variant = 'primary', size = 'md', fullWidth, isIconOnly, className }: ButtonLook): string {
  const modifiers = [variant, size, fullWidth && 'full-width', isIconOnly && 'icon-only'];
  const look = modifiers.reduce<string>((classes, modifier) => (modifier ? `${classes} button--${modifier}` : classes), 'button');
  return className ? `${look} ${className}` : look;
}
