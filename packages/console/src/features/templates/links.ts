import type { LinkTarget } from '#/kit/links/link-target.ts'

/** Templates of a project, or without one of the silo. */
export const templatesLink = (project: string | undefined) =>
  (project === undefined
    ? { to: '/templates' }
    : { to: '/projects/$project/templates', params: { project } }) satisfies LinkTarget
export const templateLink = (project: string | undefined, template: string) =>
  (project === undefined
    ? { to: '/templates/$template', params: { template } }
    : { to: '/projects/$project/templates/$template', params: { project, template } }) satisfies LinkTarget
export const editTemplateLink = (project: string | undefined, template: string) =>
  (project === undefined
    ? { to: '/templates/$template/edit', params: { template } }
    : {
        to: '/projects/$project/templates/$template/edit',
        params: { project, template },
      }) satisfies LinkTarget
/** The form of a new instance with what the template, given by its id, keeps. */
export const filledLink = (project: string, template: string) =>
  ({
    to: '/projects/$project/instances-new',
    params: { project },
    search: { template },
  }) satisfies LinkTarget
/** The form that templates are saved from. */
export const newTemplateLink = (project: string) =>
  ({
    to: '/projects/$project/instances-new',
    params: { project },
    search: { for: 'template' },
  }) satisfies LinkTarget
