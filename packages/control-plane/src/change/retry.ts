import { Refusal } from '../context/refusal.ts'

/**
 * Two transactions may pick the same free number: neither sees the other's uncommitted row, and the unique
 * index lets one through. The other fails like a serialization conflict, so that the whole change runs again
 * and sees the number taken.
 */
export async function retryWhenTaken<Result>(index: string, write: Promise<Result>): Promise<Result> {
  return write.catch((error: unknown) => {
    const { code, constraint } = error as { code?: string; constraint?: string }
    if (code !== '23505' || constraint !== index) throw error
    throw lostRace(index, error)
  })
}

/** For what is created unless it exists: a change that finds the name taken runs again and finds the object. */
export const retryWhenExists = async <Result>(write: Promise<Result>): Promise<Result> =>
  write.catch((error: unknown) => {
    throw error instanceof Refusal && error.code === 'ObjectAlreadyExists' ? lostRace('a name', error) : error
  })

/** Thrown inside a change to run it again from the start, as after a serialization conflict. */
export const lostRace = (what: string, cause?: unknown): Error =>
  Object.assign(new Error(`lost a race for ${what}`, { cause }), { code: '40001' })
