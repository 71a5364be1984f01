'use client';

import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/app/_kit/button';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import { useNewRequest } from '@/app/_kit/use-new-request';

// Loaded on demand; the gallery itself needs no forms.
const NewAgentDialog = onDemandComponent(() => import('./new-agent-dialog').then((module) => module.NewAgentDialog));

export function NewAgentButton() {
  const [isOpen, setIsOpen] = useState(false);
  useNewRequest(() => setIsOpen(true));
  return (
    <>
      <Button variant="primary" needs="agents:write" onPress={() => setIsOpen(true)}>
        <Plus aria-hidden />
        New agent
      </Button>
      {isOpen && <NewAgentDialog onClose={() => setIsOpen(false)} />}
    </>
  );
}
