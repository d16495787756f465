import { useQuery } from '@tanstack/react-query'
import { poolsOfSilo } from '../queries.ts'

interface Props {
  pool: string
  silo: string
  siloId: string
}

/** The question before a pool becomes the default of a silo; it names the pool that is the default now. */
export function DefaultChange({ pool, silo, siloId }: Props) {
  const { data: pools } = useQuery(poolsOfSilo(siloId))
  const current = pools?.find(({ isDefault }) => isDefault)
  return (
    <>
      <p>
        Are you sure you want to make <strong>{pool}</strong> the default IP pool of silo{' '}
        <strong>{silo}</strong>?
      </p>
      {current && (
        <p>
          It replaces <strong>{current.name}</strong>, which stays linked.
        </p>
      )}
    </>
  )
}
