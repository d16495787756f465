import * as op from '@gantry/api/client/operations.gen'
import type { RoleName } from '@gantry/api/base/roles.rules'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useOp } from '#/data/use-op.ts'
import { RoleField } from '#/features/access/RoleField.tsx'
import { allProjects } from '#/features/projects/queries.ts'
import { TokenForm } from '#/features/access-tokens/TokenForm.tsx'
import { DescriptionField, NameField } from '#/kit/forms/fields.tsx'
import { CreateForm, EditForm } from '#/kit/forms/KindForms.tsx'
import { accountLink, accountsLink } from './links.ts'
import { useWhyNotManage } from './parts.tsx'
import { accountAt, accountView, inScope } from './queries.ts'

export function NewAccount() {
  const { project } = useParams({ strict: false })
  const create = useOp(op.serviceAccountCreate, { seeds: ({ name }) => accountView(project, name) })
  const initial = { name: '', description: '', role: 'viewer' as RoleName }
  return (
    <CreateForm
      kind="service account"
      pageOf={({ name }) => accountLink(project, name)}
      {...(project !== undefined && { context: `In project ${project}` })}
      initial={initial}
      save={({ name, description, role }, send) =>
        create.run(
          {
            ...inScope(project),
            body: { name, description, roleName: role },
          },
          send,
        )
      }
      closeTo={accountsLink(project)}
      disabled={useWhyNotManage(project)}
    >
      <NameField name="name" />
      <DescriptionField name="description" />
      <RoleField level={project === undefined ? 'silo' : 'project'} />
    </CreateForm>
  )
}

export function EditAccount() {
  const { project, account: name = '' } = useParams({ strict: false })
  const view = accountView(project, name)
  const navigate = useNavigate()
  const { data: account } = useSuspenseQuery(view)
  const update = useOp(op.serviceAccountUpdate, {
    sees: view,
    seeds: (saved) => accountView(project, saved.name),
  })
  return (
    <EditForm
      kind="service account"
      pageOf={(saved) => accountLink(project, saved.name)}
      initial={{ name: account.name, description: account.description }}
      save={(body, send) => update.run({ ...accountAt(project, name), body }, send)}
      onSaved={(saved) =>
        void navigate({ ...accountLink(project, saved.name), replace: true, resetScroll: false })
      }
      closeTo={accountLink(project, name)}
      disabled={useWhyNotManage(project)}
    >
      <NameField name="name" />
      <DescriptionField name="description" />
    </EditForm>
  )
}

export function NewAccountToken() {
  const { project, account = '' } = useParams({ strict: false })
  const { data: projects } = useSuspenseQuery(allProjects)
  const create = useOp(op.serviceAccountTokenCreate)
  return (
    <TokenForm
      intro={`For programs that act as ${account}. A token makes no tokens: those who manage the account replace it before it expires.`}
      whose="it"
      projects={project === undefined ? projects : []}
      {...(project !== undefined && { example: project })}
      create={(body, send) => create.run({ ...accountAt(project, account), body }, send)}
      listLink={accountLink(project, account)}
      disabled={useWhyNotManage(project)}
    />
  )
}
