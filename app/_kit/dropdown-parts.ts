'use client';

/** What a menu consists of, fetched as one when the first is opened. */
export { Dropdown } from '@heroui/react/dropdown';
export { Header } from '@heroui/react/header';
export { Label } from '@heroui/react/label';
export { Separator } from '@heroui/react/separator';
