// @chunk apart: of forms that are filled from a template.
import { templateFieldWords } from '@gantry/api/compute/instance-template.rules'
import { fieldsText } from '#/features/templates/parts.tsx'
import type { Template } from '#/features/templates/queries.ts'
import { goneIn } from '#/features/templates/settings-words.ts'
import { Note } from '#/ui/feedback/Note.tsx'
import { TemplateLink } from './TemplateLink.tsx'

/** The note above a form that is filled from a template. */
export function TemplateNote({ template }: { template: Template }) {
  const { description, fixed, references, settings } = template
  const gone = [...new Set(references.filter(({ isGone }) => isGone).map(({ field }) => field))]
  return (
    <Note
      className="mb-4 max-w-form"
      kind={gone.length > 0 ? 'busy' : 'note'}
      title={
        <>
          Filled from template <TemplateLink template={template} />
        </>
      }
    >
      {description && <p>{description}</p>}
      {fixed.length > 0 && <p>Locked: {fieldsText(fixed)}.</p>}
      {(settings.disks?.length ?? 0) > 0 && (
        <p>Unless you change its disks, their names begin with the name of the instance.</p>
      )}
      {gone.map((field) => (
        <p key={field}>
          {templateFieldWords[field]}: the {goneIn(template, field)} of the template no longer exists.
        </p>
      ))}
    </Note>
  )
}
