// @chunk templates: of their pages and of the form of a new instance.
import { templateFieldWords } from '@gantry/api/compute/instance-template.rules'
import { useWhyNot } from '#/data/permissions.ts'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import type { TemplateField } from './queries.ts'

export const TemplateDocs = () => (
  <DocsPopover topic="instance templates" page="templates">
    A template keeps the form of a new instance, and says what of it may be changed. One of a project is used
    there, and one of the silo in all of its projects.
  </DocsPopover>
)

/** Why the user may not save or change templates there. */
export const useWhyNotSave = (project: string | undefined): string | undefined =>
  useWhyNot(
    project === undefined
      ? // As images of the silo.
        { action: 'create_child', object: 'silo_image' }
      : { action: 'create_child', object: 'project', id: project },
  )

/** The fields in words, within a sentence. */
export const fieldsText = (fields: readonly TemplateField[]): string =>
  fields.map((field) => templateFieldWords[field]).join(', ')
