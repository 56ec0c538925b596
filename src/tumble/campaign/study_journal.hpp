// The journal of a study: who may go on with it, what it holds, and what stays of it.
#pragma once
#include <future>
#include <memory>

#include "tumble/campaign/output_directory.hpp"
#include "tumble/integrate/trajectory.hpp"
#include "tumble/io/results/results_file.hpp"
#include "tumble/model/simulation.hpp"
#include "tumble/model/study/study.hpp"
#include "tumble/model/system.hpp"
#include "tumble/study/journal/study_store.hpp"
#include "tumble/study/sampling.hpp"

namespace tumble {

/// What a journal must have been begun with if a study is to go on with it: all that its bits
/// depend on, and the build of the program.
JournalIdentity journal_identity(const Study& study, const Simulation& simulation,
                                 const Sampling& sampling, const ResultsMetadata& metadata);

/// @throws RequestError that says why results of this study cannot be made of that journal
void require_same_study(const std::filesystem::path& journal, const JournalIdentity& there,
                        const JournalIdentity& here);

/// Whether results need the values of the realisations in a leaf.
bool keeps_values(const Study& study, std::uint64_t leaf);

/// Begins a journal, or opens the one to go on with. `study` must outlive it.
/// @throws RequestError that says why it is not that of this study
std::unique_ptr<StudyStore> open_journal(const OutputDirectory& directory, IfResultsExist policy,
                                         const Study& study, const Sampling& sampling,
                                         const JournalIdentity& identity, LayoutPointer layout);

/// The same where leaves have no statistics: a journal of records that `restore` gets.
std::unique_ptr<Journal> open_point_journal(const OutputDirectory& directory, IfResultsExist policy,
                                            const Study& study, const JournalIdentity& identity,
                                            const RecordVisitor& restore);

/// Whether the values of a realisation would take long to compute again for the room that they
/// take. By counting, so that a study leaves the same files on every computer.
bool are_dear(const System& system, const Trajectory& nominal, const StatisticsLayout& layout);

/// Leaves to the journal of a study that has ended what going on with it cannot do without. Values
/// are most of a journal by far, and follow from the inputs: they stay if they are to be kept.
/// Where there is no room for the reduced one, the journal stays as it is. @returns what is ready
/// when the disk has the room of the old one again, if there is a new one.
std::shared_future<void> reduce_journal(StudyStore& store, const OutputDirectory& directory,
                                        bool keep_values);

}  // namespace tumble
