import { useQuery } from '@tanstack/react-query';
import { type Control, useController, useWatch } from 'react-hook-form';
import { FormSelect } from '@/app/_kit/form-select';
import { Switch } from '@/app/_kit/switch';
import { useTRPC } from '@/app/_trpc/client';
import { scopeResources } from '@/server/platform/auth/scopes.schema';
import { type CustomAccess, levelNames, levels, presetLabels, presets, resourceNames } from './key-access';
import type { NewKeyValues } from './new-key-form';

type KeyControl = { control: Control<NewKeyValues> };

/** What the new key may do: a preset, with its agent, or a choice of its own. */
export function AccessFields({ control }: KeyControl) {
  const preset = useWatch({ control, name: 'preset' });
  return (
    <>
      <FormSelect
        control={control}
        name="preset"
        label="Access"
        options={presets.map((value) => ({ value, label: presetLabels[value].label }))}
        description={presetLabels[preset].description}
      />
      {(preset === 'agent' || preset === 'custom') && <AgentField control={control} isOptional={preset === 'custom'} />}
      {preset === 'custom' && <CustomAccessField control={control} />}
    </>
  );
}

function AgentField({ control, isOptional }: KeyControl & { isOptional: boolean }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.agents.list.queryOptions({}, { staleTime: 60_000 }));
  const agents = (data?.agents ?? []).filter(({ status }) => status !== 'archived');
  const options = agents.map(({ id, name, status }) => ({ value: id, label: status === 'paused' ? `${name} (paused)` : name }));
  const hasNone = data !== undefined && agents.length === 0;
  return (
    <FormSelect
      control={control}
      name="agentId"
      label="Acts as"
      options={isOptional ? [{ value: '', label: 'This business' }, ...options] : options}
      description={hasNone ? 'There are no agents yet. Create one first.' : undefined}
      isRequired={!isOptional}
    />
  );
}

/** Each resource with its level, and what is granted beside them. */
function CustomAccessField({ control }: KeyControl) {
  const { field, fieldState } = useController({ control, name: 'access' });
  const access: CustomAccess = field.value;
  const change = (changes: Partial<CustomAccess>) => field.onChange({ ...access, ...changes });
  const error = fieldState.error?.message;
  return (
    <fieldset aria-describedby={error ? 'key-access-error' : undefined} className="flex flex-col gap-3">
      <legend className="sr-only">Permissions</legend>
      {error && (
        <p id="key-access-error" className="text-xs text-danger-text">
          {error}
        </p>
      )}
      <table className="w-full table-fixed border-collapse text-label">
        <thead>
          <tr className="border-b border-separator text-left text-muted">
            <th scope="col" className="h-8 font-medium">
              Permission
            </th>
            {levels.map((level) => (
              <th key={level} scope="col" className="h-8 w-16 text-center font-medium">
                {levelNames[level]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {scopeResources.map((resource, row) => (
            <tr key={resource} className="border-b border-separator">
              <th scope="row" className="truncate text-left font-normal">
                {resourceNames[resource]}
              </th>
              {levels.map((level, column) => (
                <td key={level} className="p-0">
                  <label className="flex h-9 cursor-pointer items-center justify-center rounded-sm hover:bg-surface-hover">
                    <input
                      type="radio"
                      // Focused if nothing was chosen.
                      ref={row + column === 0 ? field.ref : undefined}
                      name={`access-${resource}`}
                      aria-label={`${resourceNames[resource]}: ${levelNames[level].toLowerCase()}`}
                      checked={access.resources[resource] === level}
                      onChange={() => change({ resources: { ...access.resources, [resource]: level } })}
                      className="size-4 accent-(--accent)"
                    />
                  </label>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <Switch label="Send mail" isSelected={access.sendsMail} onChange={(sendsMail) => change({ sendsMail })}>
        Send mail (replies, invitations)
      </Switch>
      <Switch label="Read the audit log" isSelected={access.readsAudit} onChange={(readsAudit) => change({ readsAudit })}>
        Read the audit log
      </Switch>
    </fieldset>
  );
}
