import { createContext, type ReactNode, use } from 'react'
import type { Template, TemplateField } from '#/features/templates/queries.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'

/** The template that the form is filled from. */
export const UsedTemplate = createContext<Template | undefined>(undefined)

const TemplateField = lazyPart(
  () => import('./TemplateField.tsx'),
  'TemplateField',
  <div className="h-16 rounded-control border border-line bg-sunken" />,
)

export const useIsFixed = (field: TemplateField): boolean => {
  const template = use(UsedTemplate)
  return template?.fixed.includes(field) ?? false
}

/** Fields of a setting, which a template may lock. */
export function Lockable({ field, children }: { field: TemplateField; children: ReactNode }) {
  const template = use(UsedTemplate)
  return template ? (
    <TemplateField template={template} field={field}>
      {children}
    </TemplateField>
  ) : (
    children
  )
}
