import { spoken } from '@gantry/api/base/state.rules'
import { useQuery } from '@tanstack/react-query'
import Check from 'lucide-react/icons/check'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { Card } from '#/ui/data/Card.tsx'
import { Combobox } from '#/ui/inputs/Combobox.tsx'
import { Field } from '#/ui/inputs/Field.tsx'
import { SectionError } from '#/kit/page/SectionError.tsx'
import { choicesOf } from '#/kit/list/choices-of.ts'
import { allProjects } from '#/features/projects/queries.ts'
import { abilitiesOf, type Ability } from './words.ts'
import { groupRolesIn, userRolesIn } from './queries.ts'
import { RoleLine } from './RolesCard.tsx'

interface Props {
  kind: 'user' | 'group'
  id: string
  silo: string
}

const titles = { user: 'What can this user do here?', group: 'What can this group do here?' }

/** The permissions of the effective role on one project. */
export function PermissionsCard({ kind, id, silo }: Props) {
  const [project, setProject] = useState('')
  const projects = useQuery(allProjects)
  return (
    <Card title={titles[kind]} flush>
      <div className="px-3.5 pb-3.5">
        <Field label="Project">
          <Combobox
            placeholder="Select a project"
            {...choicesOf(projects)}
            value={project}
            onChange={setProject}
            options={(projects.data ?? []).map(({ name }) => ({ value: name, label: name }))}
          />
        </Field>
      </div>
      {project && <Answer kind={kind} id={id} silo={silo} project={project} />}
    </Card>
  )
}

function Answer({ kind, id, silo, project }: Props & { project: string }) {
  const ofUser = useQuery({ ...userRolesIn(id, project), enabled: kind === 'user' })
  const ofGroup = useQuery({ ...groupRolesIn(id, project), enabled: kind === 'group' })
  const { data, error, refetch } = kind === 'user' ? ofUser : ofGroup
  const role = data?.projects[0]
  return (
    <div aria-live="polite">
      {error && <SectionError failure={error} onRetry={() => void refetch()} />}
      {role && (
        <ul>
          <RoleLine
            on={`Project ${role.name}`}
            level="project"
            role={role}
            names={{ silo, project: role.name }}
          />
          {abilitiesOf(role.roleName).map((ability) => (
            <AbilityLine key={ability.what} {...ability} />
          ))}
        </ul>
      )}
    </div>
  )
}

function AbilityLine({ what, lacks }: Ability) {
  const Icon = lacks ? X : Check
  return (
    <li className="flex gap-2.5 border-t border-faint-line px-3.5 py-2 text-sm">
      <Icon
        role="img"
        aria-label={lacks ? 'No' : 'Yes'}
        className={`mt-0.5 size-4 shrink-0 ${lacks ? 'text-muted' : 'text-ok-fill'}`}
      />
      <span>
        {what}
        {lacks && <span className="block text-muted">Requires the role {spoken(lacks)}</span>}
      </span>
    </li>
  )
}
