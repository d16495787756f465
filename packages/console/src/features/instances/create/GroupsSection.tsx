import { useSuspenseQuery } from '@tanstack/react-query'
import { Checkbox } from '#/ui/inputs/Checkbox.tsx'
import { Field } from '#/ui/inputs/Field.tsx'
import { Tag } from '#/ui/data/Tag.tsx'
import { allGroups } from '#/features/affinity/queries.ts'
import { FormSection } from './FormSection.tsx'
import { groupsProblem } from './problems.ts'
import { Lockable } from './template/Lockable.tsx'
import { useChosen } from './use-chosen.ts'

/** Shown only if the project has groups. */
export function GroupsSection({ project }: { project: string }) {
  const { data: groups } = useSuspenseQuery(allGroups('anti-affinity', project))
  const ids = groups.map(({ id }) => id)
  const { value, onChange, error } = useChosen('antiAffinityGroups', ids, groupsProblem)
  if (groups.length === 0) return null
  return (
    <FormSection title="Anti-affinity groups" hint="Members of a group run on different sleds.">
      <Lockable field="anti_affinity_groups">
        <Field group label="Groups" error={error} optional>
          <div role="group" aria-label="Groups">
            {groups.map(({ id, name, policy }) => (
              <Checkbox
                key={id}
                checked={value.includes(id)}
                onChange={(event) =>
                  onChange(event.target.checked ? [...value, id] : value.filter((each) => each !== id))
                }
              >
                <span className="flex flex-wrap items-center gap-2">
                  {name} <Tag kind="Policy">{policy}</Tag>
                </span>
              </Checkbox>
            ))}
          </div>
        </Field>
      </Lockable>
    </FormSection>
  )
}
