/**
 * A mark in the text of a statement whose best plan depends on its values, such as the pattern of a filter. The database
 * plans a statement with a name for any value after five runs; for a pattern that few rows match, that plan walks all
 * rows. There are also as many texts as people can write filters, and they would take the names of those that all
 * requests run.
 *
 * JavaScript for the reason of `named-statements.js`.
 */
export const plannedEachTime = '/* planned each time */'

/**
 * @param {string} text
 * @returns {boolean}
 */
export const isPlannedEachTime = (text) => text.includes(plannedEachTime)
