import * as op from '@gantry/api/client/operations.gen'
import type { IdentityMode } from '@gantry/api/people/silo.rules'
import { useQuery } from '@tanstack/react-query'
import { useWhyNotEach } from '#/data/permissions.ts'
import { allQuery } from '#/data/queries.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmDelete } from '#/kit/feedback/confirm.tsx'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import { type Deletion, reportDeletion } from '#/kit/page/use-viewed.ts'
import { usePlannedDelete } from '#/features/deletion/use-planned-delete.ts'
import { tagActions } from '#/features/tags/tag-actions.tsx'
import { formatCount, formatSeries } from '#/ui/data/format-amounts.ts'
import { type Silo, siloAt } from './queries.ts'

/** The actions of a row and of the silo's own page, which leaves after the deletion in `onDelete`. */
export function useSiloRowActions(rows: readonly Silo[], onDelete?: (is: Deletion) => void): ActionsOf<Silo> {
  const whyNot = useWhyNotEach(rows, ({ id }) => ({ action: 'modify', object: 'silo_deletion', id }))
  const remove = useOp(op.siloDelete)
  const deletePlanned = usePlannedDelete()
  const whyNotEdit = useWhyNotEach(rows, ({ id }) => ({ action: 'modify', object: 'silo', id }))
  return (silo) => [
    ...tagActions('silo', silo, whyNotEdit(silo)),
    {
      label: 'Delete',
      disabled: whyNot(silo),
      onSelect: () =>
        void deletePlanned({
          kind: 'silo',
          id: silo.id,
          page: { to: '/system/silos/$silo/delete', params: { silo: silo.name } },
          ask: () =>
            confirmDelete({
              kind: 'silo',
              name: silo.name,
              gone: 'What is in it is gone for good.',
              extra: <SiloContents silo={silo.name} />,
              run: () => reportDeletion(() => remove.run(siloAt(silo.name)), onDelete),
            }),
        }),
    },
  ]
}

/** More than anyone reads. */
const maxNames = 20

/** The objects deleted with a silo, and the projects that block its deletion. */
function SiloContents({ silo }: { silo: string }) {
  const { data: projects = [] } = useQuery(allQuery(op.siloProjectList, { ...siloAt(silo), query: {} }))
  const more = projects.length - maxNames
  const names = projects.slice(0, maxNames).map(({ name }) => name)
  return (
    <>
      Its users, groups, identity providers, silo images and certificates are deleted with it.
      {projects.length > 0 && (
        <span className="mt-2 block">
          It contains {formatCount(projects.length, 'project')}:{' '}
          <strong>{formatSeries(more > 0 ? [...names, `${more} more`] : names)}</strong>. Delete{' '}
          {projects.length === 1 ? 'it' : 'them'} first.
        </span>
      )}
    </>
  )
}

export function SiloDocs() {
  return (
    <DocsPopover topic="silos" page="places#silos">
      Silos strictly separate tenants. Each has its own users, roles, quotas, IP pools and subdomain, and its
      users cannot see other silos.
    </DocsPopover>
  )
}

/** Short forms for tags; the forms spell them out. */
export const identityModeTags: Record<IdentityMode, string> = {
  saml_jit: 'saml jit',
  saml_scim: 'saml scim',
  local_only: 'local only',
}

export const identityModeOptions = [
  { value: 'saml_jit', label: 'SAML + JIT' },
  { value: 'saml_scim', label: 'SAML + SCIM' },
  { value: 'local_only', label: 'Local only' },
] as const satisfies readonly { value: IdentityMode; label: string }[]
