import * as op from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useOp } from '#/data/use-op.ts'
import { CreateForm, EditForm } from '#/features/common/forms/KindForms.tsx'
import { savedQueriesLink, savedQueryLink } from './links.ts'
import { useWhyNotSave } from './parts.tsx'
import { inScope, savedQueryAt, savedQueryView } from './queries.ts'
import { bodyOf, newValues, refusedField, valuesOf } from './query-values.ts'
import { QueryFields } from './QueryFields.tsx'

export function NewSavedQuery({ project }: { project?: string }) {
  const create = useOp(op.metricQueryCreate, { seeds: ({ name }) => savedQueryView(project, name) })
  return (
    <CreateForm
      kind="saved query"
      pageOf={({ name }) => savedQueryLink(project, name)}
      {...(project !== undefined && { context: `In project ${project}` })}
      initial={newValues(project)}
      save={(values) => create.run({ ...inScope(project), body: bodyOf(values) })}
      fieldOf={refusedField}
      closeTo={savedQueriesLink(project)}
      disabled={useWhyNotSave(project)}
    >
      <QueryFields />
    </CreateForm>
  )
}

export function EditSavedQuery({ project, query: name }: { project?: string; query: string }) {
  const view = savedQueryView(project, name)
  const navigate = useNavigate()
  const { data: saved } = useSuspenseQuery(view)
  const update = useOp(op.metricQueryUpdate, {
    sees: view,
    seeds: (updated) => savedQueryView(project, updated.name),
  })
  return (
    <EditForm
      kind="saved query"
      pageOf={(updated) => savedQueryLink(project, updated.name)}
      initial={valuesOf(saved)}
      save={(values) => update.run({ ...savedQueryAt(project, name), body: bodyOf(values) })}
      onSaved={(updated) =>
        void navigate({ ...savedQueryLink(project, updated.name), replace: true, resetScroll: false })
      }
      fieldOf={refusedField}
      closeTo={savedQueryLink(project, name)}
      disabled={useWhyNotSave(project)}
    >
      <QueryFields />
    </EditForm>
  )
}
