import { isUuid } from '@gantry/api/name.rules'
import { notFound } from '@tanstack/react-router'

/** For a page named by an id: a path without one has no page, and the server would call it malformed. */
export function needId(id: string): void {
  if (!isUuid(id)) throw notFound()
}
