import { GoLink } from './GoLink.tsx'
import { loginAt, type PageContext } from './place.ts'

/** The silo of the sign-in, with a link to select another. */
export function SiloLine({ silo, context }: { silo: string; context: PageContext }) {
  return (
    <p className="mt-0.5 mb-5 text-muted">
      Silo <strong>{silo}</strong> ·{' '}
      <GoLink to={loginAt(context, '')} context={context}>
        use another silo
      </GoLink>
    </p>
  )
}
