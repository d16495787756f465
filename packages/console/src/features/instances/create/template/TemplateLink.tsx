// @chunk apart: of forms that are filled from a template.
import { useParams } from '@tanstack/react-router'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { templateLink } from '#/features/templates/links.ts'
import type { Template } from '#/features/templates/queries.ts'

/** A template of the project that the page is in, or of the silo. */
export function TemplateLink({ template: { name, projectId } }: { template: Template }) {
  const { project } = useParams({ strict: false })
  return (
    <PageLink {...templateLink(projectId === null ? undefined : project, name)} className="link">
      {name}
    </PageLink>
  )
}
