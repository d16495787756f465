/**
 * Two transactions may draw the same free number: neither sees the other's yet, and the index lets one in. The
 * other is told what a database says when it wants the whole change run again, and then sees the number taken.
 */
export async function againWhenTaken<Result>(index: string, write: Promise<Result>): Promise<Result> {
  return write.catch((error: unknown) => {
    const { code, constraint } = error as { code?: string; constraint?: string }
    if (code !== '23505' || constraint !== index) throw error
    throw lostRace(index, error)
  })
}

/** Thrown inside a change to have it run again from the start, as a database does when two changes cross. */
export const lostRace = (what: string, cause?: unknown): Error =>
  Object.assign(new Error(`lost a race for ${what}`, { cause }), { code: '40001' })
