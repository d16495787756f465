import { isUuid } from '@gantry/api/name.rules'
import { notFound } from '@tanstack/react-router'

/** For pages addressed by id: a malformed id gets `Page not found` instead of the server's validation error. */
export function needId(id: string): void {
  if (!isUuid(id)) throw notFound()
}
