import { useWhyNot } from '#/data/permissions.ts'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'

export const AccountDocs = () => (
  <DocsPopover topic="service accounts" page="access-tokens#service-accounts">
    A service account lets a program act with roles and access tokens of its own, so that it goes on when the
    person who set it up leaves. Nobody can sign in as one. An account of a project can do nothing outside of
    that project.
  </DocsPopover>
)

/** Why the user may not manage service accounts there: an account acts by roles, so that takes who gives them. */
export const useWhyNotManage = (project: string | undefined): string | undefined =>
  useWhyNot(
    project === undefined
      ? { action: 'create_child', object: 'silo_user' }
      : { action: 'modify', object: 'project', id: project },
  )
