import { useQuery } from '@tanstack/react-query'
import { poolsOfSilo } from '../queries.ts'

interface Props {
  pool: string
  silo: string
  siloId: string
}

/** Confirms that a pool becomes a silo's default; names the current default. */
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
