import { KeyRound } from 'lucide-react';
import { newRequest } from '@/app/_kit/use-new-request';
import type { Section } from '../_components/section';

export const apiKeysSection: Section = {
  entry: { href: '/api-keys', label: 'API keys', icon: KeyRound, group: 'setup', letter: 'k' },
  needs: [['/api-keys', 'keys:write']],
  creates: { meaning: 'Create API key', href: `/api-keys?${newRequest}`, on: '/api-keys', needs: 'keys:write' },
  records: { apiKey: { label: 'API keys', icon: KeyRound, unnamed: 'API key', href: () => '/api-keys' } },
};
