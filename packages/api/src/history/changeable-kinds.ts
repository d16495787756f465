import { kinds } from '../kind.gen.ts'

/** What a request can change that may be of any kind. No request changes the audit log. */
export const changeableKinds = kinds.filter((kind) => kind !== 'audit-record')
