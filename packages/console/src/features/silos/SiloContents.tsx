import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { allQuery } from '#/data/queries.ts'
import { formatCount, formatSeries } from '#/ui/format-amounts.ts'
import { siloAt } from './queries.ts'

/** More than anyone reads. */
const maxNames = 20

/** The objects deleted with a silo, and the projects that block its deletion. */
export function SiloContents({ silo }: { silo: string }) {
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
