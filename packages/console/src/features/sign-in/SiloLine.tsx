import { Link } from '@tanstack/react-router'
import type { LoginSearch } from './login-search.ts'

/** The silo that is signed in to, and the way to another one. */
export function SiloLine({ silo, search: { redirect_uri } }: { silo: string; search: LoginSearch }) {
  return (
    <p className="mt-0.5 mb-5 text-muted">
      Silo <strong>{silo}</strong> ·{' '}
      <Link to="/login" search={{ ...(redirect_uri && { redirect_uri }), silo: '' }} className="link">
        use another silo
      </Link>
    </p>
  )
}
