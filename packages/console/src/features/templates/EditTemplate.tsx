import * as op from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useOp } from '#/data/use-op.ts'
import { DescriptionField, NameField } from '#/kit/forms/fields.tsx'
import { EditForm } from '#/kit/forms/KindForms.tsx'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { Note } from '#/ui/feedback/Note.tsx'
import { FixedFields } from './FixedFields.tsx'
import { filledLink, templateLink } from './links.ts'
import { useWhyNotSave } from './parts.tsx'
import { templateAt, templateView } from './queries.ts'
import { settingsWords } from './settings-words.ts'

export function EditTemplate() {
  const { project, template: name = '' } = useParams({ strict: false })
  const view = templateView(project, name)
  const { data: template } = useSuspenseQuery(view)
  const navigate = useNavigate()
  const update = useOp(op.instanceTemplateUpdate, {
    sees: view,
    seeds: (updated) => templateView(project, updated.name),
  })
  return (
    <EditForm
      kind="instance template"
      pageOf={(saved) => templateLink(project, saved.name)}
      initial={{ name: template.name, description: template.description, fixed: [...template.fixed] }}
      save={(body, send) => update.run({ ...templateAt(project, name), body }, send)}
      onSaved={(saved) =>
        void navigate({ ...templateLink(project, saved.name), replace: true, resetScroll: false })
      }
      closeTo={templateLink(project, name)}
      disabled={useWhyNotSave(project)}
    >
      <NameField name="name" />
      <DescriptionField name="description" />
      <FixedFields words={settingsWords(template)} />
      <Note title="To change what it keeps">
        {project === undefined ? (
          'Use the template in a project, change the form, and save it as this template again.'
        ) : (
          <>
            <PageLink {...filledLink(project, template.id)} className="link">
              Use the template
            </PageLink>
            , change the form, and save it as this template again.
          </>
        )}
      </Note>
    </EditForm>
  )
}
