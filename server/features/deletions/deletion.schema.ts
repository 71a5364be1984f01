/** For how many days a deleted record can be restored. */
export const restorableDays = 30;
