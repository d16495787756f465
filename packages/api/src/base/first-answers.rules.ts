/**
 * The id of the page's element in which a server may embed answers to the first requests. The build records these
 * requests by the routes' loaders (`tools/lib/page-reads.mjs`), our server embeds their answers
 * (`server/src/http/first-answers.ts`), and the console takes them (`console/src/data/first-answers.ts`).
 */
export const firstAnswersId = 'first-answers'

/** Successful answers to `GET` requests, by path and query. */
export type FirstAnswers = Record<string, { headers: [string, string][]; body: string }>
