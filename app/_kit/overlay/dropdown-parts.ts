/** The parts of a menu, loaded as one chunk when the first menu opens. */
export { Dropdown } from '@heroui/react/dropdown';
export { Header } from '@heroui/react/header';
export { Label } from '@heroui/react/label';
export { Separator } from '@heroui/react/separator';
