'use client';

import { Plus } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Button } from '@/app/_components/button';
import { useNewRequest } from '@/app/_components/use-new-request';

// The dialog comes when opened; the gallery itself needs no forms.
const NewAgentDialog = dynamic(() => import('./new-agent-dialog').then((module) => module.NewAgentDialog), { ssr: false });

/** Opens the dialog for one agent more. */
export function NewAgentButton() {
  const [isOpen, setIsOpen] = useState(false);
  useNewRequest(() => setIsOpen(true));
  return (
    <>
      <Button variant="primary" onPress={() => setIsOpen(true)}>
        <Plus aria-hidden />
        New agent
      </Button>
      {isOpen && <NewAgentDialog onClose={() => setIsOpen(false)} />}
    </>
  );
}
