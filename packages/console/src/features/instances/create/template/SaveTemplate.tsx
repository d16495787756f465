import { useState } from 'react'
import type { Template } from '#/features/templates/queries.ts'
import { useHasExtensions } from '#/kit/page/use-served.ts'
import { Button } from '#/ui/Button.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { FormSection } from '../FormSection.tsx'

const SaveTemplateForm = lazyPart(() => import('./SaveTemplateForm.tsx'), 'SaveTemplateForm')

interface Props {
  project: string
  /** The template that the form was filled from. */
  template: Template | undefined
  /** The form was opened by the action of an instance that saves it as a template. */
  opensAtOnce?: boolean
}

/** Saves the form's values as a template, on servers that have them. */
export function SaveTemplate({ project, template, opensAtOnce = false }: Props) {
  const [isOpen, setOpen] = useState(opensAtOnce)
  if (!useHasExtensions()) return null
  return (
    <FormSection title="Template" hint="Keep these values for other instances.">
      <Button onClick={() => setOpen(true)}>Save as template</Button>
      {isOpen && <SaveTemplateForm project={project} template={template} onClose={() => setOpen(false)} />}
    </FormSection>
  )
}
