import { createSnippetInput } from '@/server/features/conversations/snippet.schema';
import { createSnippet, listSnippets } from '@/server/features/conversations/snippet.service';
import type { SystemActor } from '@/server/platform/actor';

const demoSnippets = [
  {
    name: 'Opening hours',
    text: `Hello {{customer.firstName|there}},

the shop is open Tuesday to Friday from 10 to 18:30 and on Saturday from 10 to 15. The workshop takes bikes from 8.

Best regards
{{sender.name|The team}}
{{business.name}}`,
  },
  {
    name: 'Bike is ready',
    text: `Hello {{customer.firstName|there}},

your bike is ready. You can pick it up whenever we are open; please bring the pick-up slip or your phone number.

Best regards
{{sender.name|The team}}
{{business.name}}`,
  },
  {
    name: 'Company bikes: what we need to know',
    text: `Hello {{customer.firstName|there}},

thank you for asking about bikes for {{customer.company|your company}}. For an offer we need three things:

- how many people will ride, and how far
- where the bikes are parked at night
- whether you would rather buy or lease them

Best regards
{{sender.name|The team}}
{{business.name}}`,
  },
  {
    name: 'Sorry for the wait',
    text: `Hello {{customer.firstName|there}},

I am sorry that you had to wait for our answer.

`,
  },
] as const;

/** Adds the snippets that a business has none of yet. */
export async function seedSnippets(actor: SystemActor): Promise<void> {
  const known = new Set((await listSnippets(actor)).snippets.map(({ name }) => name));
  for (const snippet of demoSnippets) {
    if (!known.has(snippet.name)) await createSnippet(actor, createSnippetInput.parse(snippet));
  }
}
