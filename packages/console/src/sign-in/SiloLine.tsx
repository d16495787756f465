import { GoLink } from './GoLink.tsx'
import { loginAt, type Place } from './place.ts'

/** The silo of the sign-in, with a link to select another. */
export function SiloLine({ silo, place }: { silo: string; place: Place }) {
  return (
    <p className="mt-0.5 mb-5 text-muted">
      Silo <strong>{silo}</strong> ·{' '}
      <GoLink to={loginAt(place, '')} place={place}>
        use another silo
      </GoLink>
    </p>
  )
}
