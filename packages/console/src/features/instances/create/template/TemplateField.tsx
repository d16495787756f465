// @chunk apart: of forms that are filled from a template.
import { templateFieldWords } from '@gantry/api/compute/instance-template.rules'
import Lock from 'lucide-react/icons/lock'
import type { ReactNode } from 'react'
import type { Template, TemplateField as Field } from '#/features/templates/queries.ts'
import { goneIn, settingsWords } from '#/features/templates/settings-words.ts'
import { Note } from '#/ui/feedback/Note.tsx'
import { TemplateLink } from './TemplateLink.tsx'

interface Props {
  template: Template
  field: Field
  children: ReactNode
}

/** The fields of a setting, what of the template's no longer exists, and in place of locked fields what is set. */
export function TemplateField({ template, field, children }: Props) {
  const gone = goneIn(template, field)
  const isFixed = template.fixed.includes(field)
  return (
    <>
      {isFixed ? <Locked template={template} field={field} /> : children}
      {gone && (
        <Note kind="busy" title={`The ${gone} of the template no longer exists`}>
          {isFixed
            ? 'Nothing can be created until the template is edited.'
            : 'Choose another here, or edit the template.'}
        </Note>
      )}
    </>
  )
}

function Locked({ template, field }: Omit<Props, 'children'>) {
  return (
    <div
      role="group"
      aria-label={templateFieldWords[field]}
      className="flex gap-2.5 rounded-control border border-line bg-sunken px-3 py-2.5"
    >
      <Lock aria-hidden strokeWidth={1.75} className="mt-0.5 size-4 shrink-0 text-muted" />
      <div className="min-w-0 grow wrap-anywhere">
        <p className="text-sm text-muted">{templateFieldWords[field]}</p>
        <p className="font-medium text-strong">{settingsWords(template)[field]}</p>
        <p className="text-sm text-muted">
          Locked by template <TemplateLink template={template} />.
        </p>
      </div>
    </div>
  )
}
